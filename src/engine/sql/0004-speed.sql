-- What was told with an outcome stands beside it: one row and one entry in an index for each commit instead of two. Only batches, and
-- what happens between outcomes, have rows in engine_journal.
alter table engine_steps
  add column first_seq integer,
  add column entries json;

-- What happened in executions, wherever it stands. A row holds what was committed together. Of a batch no outcomes but those of its
-- first item are looked through.
create view engine_events as
  select execution_id, first_seq, entries from engine_journal
  union all
  select execution_id, first_seq, entries from engine_steps where item = 0 and entries is not null;

-- As text, like outputs: it is read whole, or not at all.
alter table engine_executions alter column facts type json using facts::json;
alter table engine_finished alter column facts type json using facts::json;
