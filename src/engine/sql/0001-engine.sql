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
  -- what changed, in the words of whoever saved it
  note text,
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
  -- context, options, the items of a batch, and the memory it began with
  input jsonb not null,
  error jsonb,
  -- what it took and made in numbers, written when it ends; the roll-ups are made of these
  facts jsonb,
  -- null: nobody has to agree. While it is pending, the execution waits with work_due_at = infinity.
  approval text check (approval in ('pending', 'approved', 'rejected')),
  approval_by uuid,
  approval_at timestamptz,
  approval_note text,
  -- who wants it to end, since when and why; its worker ends it
  cancel jsonb,
  forked_from uuid,
  forked_at_step text,
  schedule_id uuid,
  -- whole micro-dollars; reserved is for calls under way
  spent bigint not null default 0,
  reserved bigint not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  -- when its time began to count: later than started_at once it was recovered
  timed_from timestamptz,
  finished_at timestamptz,
  work_state text not null default 'queued' check (work_state in ('queued', 'running', 'finished')),
  -- infinity: parked, until an execution of the same account ends or somebody agrees
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
create index engine_executions_parked on engine_executions (account_id, work_priority desc, id)
  where work_state = 'queued' and work_due_at = 'infinity';
create index engine_executions_finished on engine_executions (finished_at) where work_state = 'finished';

-- How many executions of an account were ever let in.
create table engine_accounts (
  account_id uuid primary key,
  admitted bigint not null,
  -- how many the last statement let in
  granted integer not null
) with (fillfactor = 50);

-- How many of those have ended. In shards, so that processes that end executions of one account need not wait for each other.
create table engine_account_ends (
  account_id uuid not null,
  shard smallint not null,
  ended bigint not null,
  primary key (account_id, shard)
) with (fillfactor = 50);

-- Executions that ended and are not in the roll-ups yet.
create table engine_finished (
  execution_id uuid not null,
  -- -1 takes an end back: the execution was recovered, and counts when it ends again
  sign smallint not null default 1 check (sign in (-1, 1)),
  -- null: those of the execution itself
  facts jsonb
);

-- Rows of journals that somebody outside may want to hear of, until it is on its way to them.
create table engine_outbox (
  id bigint generated always as identity primary key,
  execution_id uuid not null,
  first_seq integer not null
);

-- What a flow with a persistent memory ended with, for the next execution by the same account.
create table engine_memories (
  account_id uuid not null,
  flow_id text not null,
  memory jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, flow_id)
);

-- What became of each step. A row is written once, when the step is over; taking an execution up again reads these.
-- No foreign key: rows are only written by statements that hold the execution, and checking each again costs a tenth.
create table engine_steps (
  execution_id uuid not null,
  -- which of a batch, from 0; always 0 without one
  item integer not null default 0,
  step_id text not null,
  -- the order in which outcomes came, which is the order they are taken up in again
  seq integer not null,
  state text not null check (state in ('completed', 'failed', 'skipped')),
  attempts smallint not null,
  started_at timestamptz,
  finished_at timestamptz not null,
  -- as text: nobody looks into it here, and converting it to jsonb was about a fifth of a commit
  output json,
  choice jsonb,
  error jsonb,
  -- provider, model, tokens, what was decided and why; without what is as usual
  details jsonb not null default '{}',
  spent bigint,
  primary key (execution_id, item, step_id)
);

-- What happened in an execution, numbered by its one writer: a reader that remembers the last number misses nothing. A row
-- holds what was committed together.
create table engine_journal (
  execution_id uuid not null,
  first_seq integer not null,
  entries json not null,
  primary key (execution_id, first_seq)
);
