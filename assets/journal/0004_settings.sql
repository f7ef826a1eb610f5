-- What a person set up on the screen and expects to find again: the columns of the table. Per service.
CREATE TABLE settings (
    service TEXT NOT NULL,
    name    TEXT NOT NULL,
    value   TEXT NOT NULL,
    PRIMARY KEY (service, name)
) STRICT, WITHOUT ROWID;
