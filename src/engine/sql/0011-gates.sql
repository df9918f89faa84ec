-- The execution whose input a rerun uses, and the trigger that started it.
alter table engine_executions
  add column rerun_of uuid,
  add column trigger_id uuid;
create index engine_executions_triggered on engine_executions (trigger_id, id) where trigger_id is not null;
