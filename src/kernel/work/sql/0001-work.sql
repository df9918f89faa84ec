-- Who is working. A row that is not renewed in time is removed, and with it everything its worker held is handed over.
create table kernel_workers (
  id uuid primary key,
  name text not null,
  role text not null,
  queues text[] not null,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now()
);

create table kernel_tasks (
  name text primary key,
  interval_ms bigint not null check (interval_ms > 0),
  last_started_at timestamptz,
  last_finished_at timestamptz,
  last_error text,
  work_state text not null default 'queued' check (work_state in ('queued', 'running', 'finished')),
  work_due_at timestamptz not null default now(),
  work_priority smallint not null default 0,
  work_worker uuid,
  work_fence bigint not null default 0,
  work_attempts integer not null default 0,
  check ((work_state = 'running') = (work_worker is not null))
);

create index kernel_tasks_due on kernel_tasks (work_priority desc, work_due_at) where work_state = 'queued';
create index kernel_tasks_held on kernel_tasks (work_worker) where work_state = 'running';
