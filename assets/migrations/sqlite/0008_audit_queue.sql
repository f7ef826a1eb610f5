-- Nothing: one process uses the file, and its queue of audits, budgets and counters are in memory. PostgreSQL has tables for
-- them, and the migrations of the two have equal numbers.
SELECT 1;
