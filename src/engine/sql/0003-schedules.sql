-- Flows that run by the clock. The row is the entry of a queue, due when its flow is.
create table engine_schedules (
  id uuid primary key,
  label text,
  flow_id text not null,
  -- null: whichever is current when the time comes
  flow_version integer,
  -- whose money is spent, and who must be allowed to run workflows
  account_id uuid not null,
  -- who made it, which may be somebody else
  created_by uuid,
  cron text not null,
  timezone text not null,
  -- what each execution is given: context, options, the items of a batch
  input jsonb not null,
  priority text not null default 'normal' check (priority in ('low', 'normal', 'high', 'urgent')),
  -- when a time comes and the execution before is not over: leave the time out, or wait
  overlap text not null default 'skip' check (overlap in ('skip', 'queue')),
  enabled boolean not null default true,
  starts_at timestamptz,
  ends_at timestamptz,
  -- The time that comes next; null: none. work_due_at is later while the execution before is waited for.
  next_at timestamptz,
  -- what became of the last time that came
  last_at timestamptz,
  last_outcome text check (last_outcome in ('started', 'skipped', 'failed')),
  last_execution_id uuid,
  last_error jsonb,
  times_started integer not null default 0,
  times_skipped integer not null default 0,
  times_failed integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  work_state text not null default 'queued' check (work_state in ('queued', 'running', 'finished')),
  work_due_at timestamptz not null default now(),
  work_priority smallint not null default 0,
  work_worker uuid,
  work_fence bigint not null default 0,
  work_attempts integer not null default 0,
  check ((work_state = 'running') = (work_worker is not null))
);

create index engine_schedules_due on engine_schedules (work_priority desc, work_due_at) where work_state = 'queued';
create index engine_schedules_held on engine_schedules (work_worker) where work_state = 'running';
create index engine_schedules_by_account on engine_schedules (account_id, id);

-- Whether the execution before is over.
create index engine_executions_by_schedule on engine_executions (schedule_id)
  where schedule_id is not null and work_state <> 'finished';
