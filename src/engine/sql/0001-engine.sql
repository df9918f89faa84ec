-- Flows, and every version anybody ever saved. A version never changes: executions are pinned to one.
create table engine_flows (
  id text primary key,
  owner_id uuid,
  built_in boolean not null default false,
  current_version integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);

create table engine_flow_versions (
  flow_id text not null references engine_flows (id),
  version integer not null,
  definition jsonb not null,
  metadata jsonb not null default '{}',
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (flow_id, version)
);

-- One run of a flow. The row is the entry of the queue; the columns that begin with work_ belong to the work kernel.
create table engine_executions (
  id uuid primary key,
  flow_id text not null,
  flow_version integer not null,
  account_id uuid not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  priority text not null default 'normal' check (priority in ('low', 'normal', 'high', 'urgent')),
  -- context, options, and the memory it began with
  input jsonb not null,
  error jsonb,
  -- whole micro-dollars; reserved is for calls under way
  spent bigint not null default 0,
  reserved bigint not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  work_state text not null default 'queued' check (work_state in ('queued', 'running', 'finished')),
  work_due_at timestamptz not null default now(),
  work_priority smallint not null default 0,
  work_worker uuid,
  work_fence bigint not null default 0,
  work_attempts integer not null default 0,
  check ((work_state = 'running') = (work_worker is not null)),
  check ((work_state = 'finished') = (status in ('completed', 'failed', 'cancelled')))
);

create index engine_executions_due on engine_executions (work_priority desc, work_due_at) where work_state = 'queued';
create index engine_executions_held on engine_executions (work_worker) where work_state = 'running';
create index engine_executions_by_account on engine_executions (account_id, id);
create index engine_executions_by_flow on engine_executions (flow_id, id);
create index engine_executions_open on engine_executions (account_id) where work_state <> 'finished';

-- What became of each step. A row is written once, when the step is over; taking an execution up again reads these.
-- No foreign key: rows are only written by statements that hold the execution, and checking each again costs a tenth.
create table engine_steps (
  execution_id uuid not null,
  step_id text not null,
  -- the order in which outcomes came, which is the order they are taken up in again
  seq integer not null,
  state text not null check (state in ('completed', 'failed', 'skipped')),
  attempts smallint not null,
  started_at timestamptz,
  finished_at timestamptz not null,
  output jsonb,
  choice jsonb,
  error jsonb,
  -- provider, model, tokens, what was decided and why
  details jsonb not null default '{}',
  spent bigint,
  primary key (execution_id, step_id)
);

-- What happened in an execution, numbered by its one writer: a reader that remembers the last number misses nothing. A row
-- holds what was committed together.
create table engine_journal (
  execution_id uuid not null,
  first_seq integer not null,
  entries jsonb not null,
  primary key (execution_id, first_seq)
);
