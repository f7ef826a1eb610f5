-- Why the page of a report could not be fetched: dns, tls, refused, timeout, 4xx, 5xx or other. NULL where it was fetched,
-- and for rows whose checks were not stored.
ALTER TABLE reports ADD COLUMN fetch_error TEXT;

WITH checked AS (
    SELECT results.report_id AS id, json_extract(checks, '$.http_status.value') AS value,
           json_extract(checks, '$.http_status.value.trouble') AS trouble
    FROM results
    WHERE CASE WHEN json_valid(checks) THEN json_extract(checks, '$.http_status.passed') = 0 END
)
UPDATE reports SET fetch_error = (
    SELECT CASE
        WHEN trouble = 'name' THEN 'dns'
        WHEN trouble = 'tls' THEN 'tls'
        WHEN trouble = 'connect' THEN 'refused'
        WHEN trouble = 'too_slow' THEN 'timeout'
        WHEN trouble IS NOT NULL THEN 'other'
        WHEN typeof(value) = 'integer' AND value BETWEEN 400 AND 499 THEN '4xx'
        WHEN typeof(value) = 'integer' AND value BETWEEN 500 AND 599 THEN '5xx'
    END
    FROM checked WHERE checked.id = reports.id
)
WHERE char(10) || failed || char(10) LIKE '%' || char(10) || 'http\_status' || char(10) || '%' ESCAPE '\';
