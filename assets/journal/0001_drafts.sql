-- What was typed into a form and not sent. Passwords are never part of it.
CREATE TABLE drafts (
    service TEXT NOT NULL,
    form    TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (service, form)
) STRICT, WITHOUT ROWID;
