-- Executions that only wait: no worker has leased them and they take no slot of their account. work_state = 'suspended' keeps them out of
-- every partial index of the queue, so that claims and promotions do not read past a million of them.
alter table engine_executions
  -- when its last lease suspended it; set until a worker resumes it, so that its duration does not grow in between
  add column suspended_at timestamptz,
  -- how many of its waits were closed; a commit that suspends it names the number its worker has seen
  add column wakes integer not null default 0;

create index engine_executions_suspended on engine_executions (account_id, id) where work_state = 'suspended';

-- Why a step does not go on: a timer, a human task, an event. Open waits of an execution that has ended are cancelled ones.
create table engine_waits (
  id uuid primary key,
  execution_id uuid not null,
  item integer not null,
  -- a step path
  step_id text not null,
  -- counts the waits of a step: a retried step waits again
  number smallint not null,
  account_id uuid not null,
  -- timer, human, event
  kind text not null,
  -- the end of a timer, the timeout of the others; null: none
  wake_at timestamptz,
  event_name text,
  correlation_key text,
  -- JSON: message, form, assignees; as text, like outputs
  request text not null,
  -- open, answered, timed_out, cancelled
  state text not null default 'open',
  answer text,
  -- an account id, or mail:address for a link
  answered_by text,
  comment text,
  closed_at timestamptz,
  created_at timestamptz not null,
  unique (execution_id, item, step_id, number)
);

create index engine_waits_due on engine_waits (wake_at) where state = 'open' and wake_at is not null;
create index engine_waits_events on engine_waits (account_id, event_name, correlation_key) where state = 'open' and kind = 'event';
create index engine_waits_human on engine_waits (created_at) where state = 'open' and kind = 'human';
