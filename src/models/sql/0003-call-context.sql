-- Where a call came from and how its model was chosen. A row of an earlier version has none of it.
alter table model_calls
  -- The API key of the caller.
  add column key_id       text,
  -- Labels of the caller, for usage reports.
  add column tags         text[] not null default '{}',
  -- The execution and its step, for calls of flows.
  add column execution_id text,
  add column step_id      text,
  -- Why this model handled the call: the candidates in their order with the reason of each.
  add column route        jsonb;

create index model_calls_by_execution on model_calls (execution_id) where execution_id is not null;
create index model_calls_by_key on model_calls (key_id, id) where key_id is not null;
