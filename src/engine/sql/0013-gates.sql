-- Limits of a flow over all its executions: concurrency, throttle, debounce. An execution above a limit has work_state = 'gated', which
-- keeps it out of every partial index of the queue. Executions of flows without limits have null in all these columns.
alter table engine_executions
  -- the flow and the value of the key of each limit
  add column concurrency_key text,
  add column throttle_key text,
  -- set until the execution passes the gate: other starts with the same key change its input until then
  add column debounce_key text,
  -- when the debounce ends
  add column hold_until timestamptz,
  -- how many starts were combined into it
  add column debounced integer,
  add column gated_at timestamptz,
  -- the order of executions at the gate, so that accounts take turns
  add column gate_turn integer;

create index engine_executions_gated on engine_executions (flow_id, concurrency_key, gate_turn) where work_state = 'gated';
create unique index engine_executions_debounced on engine_executions (debounce_key) where debounce_key is not null and work_state = 'gated';
-- Executions without a worker, by account. One index for both states: every further one slows down all writes of executions.
create index engine_executions_idle on engine_executions (work_state, account_id, id) where work_state in ('suspended', 'gated');
drop index engine_executions_suspended;
-- The executions that count for a limit of concurrency.
create index engine_executions_gate_open on engine_executions (concurrency_key)
  where concurrency_key is not null and work_state in ('queued', 'running');

-- One row per flow with limits. A transaction that lets executions pass locks it.
create table engine_gates (
  flow_id text primary key,
  -- when a throttle lets the next execution pass, or a debounce ends; null: nothing waits for a time
  due_at timestamptz
);

create index engine_gates_due on engine_gates (due_at) where due_at is not null;

-- The state of a throttle (GCRA): the time at which one more execution would be exactly on schedule. A row whose time has passed says nothing.
create table engine_throttles (
  key text primary key,
  next_at timestamptz not null
);

create index engine_throttles_next on engine_throttles (next_at);
