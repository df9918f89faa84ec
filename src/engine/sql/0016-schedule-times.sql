-- expands: an older replica keeps counting attempts of all times together; a lower number only makes it retry sooner
-- The last times of each schedule, with what happened. How an execution ended is read from the execution itself.
create table engine_schedule_times (
  schedule_id uuid not null references engine_schedules (id) on delete cascade,
  due_at timestamptz not null,
  -- manual: started by a request, between the times
  kind text not null default 'scheduled' check (kind in ('scheduled', 'manual')),
  outcome text not null check (outcome in ('started', 'skipped', 'not_started')),
  execution_id uuid,
  error jsonb,
  -- how often a worker began with this time; above one when a start failed or a worker died
  tries integer not null default 1,
  primary key (schedule_id, due_at, kind)
);

insert into engine_schedule_times (schedule_id, due_at, outcome, execution_id, error)
select id, last_at, case last_outcome when 'failed' then 'not_started' else last_outcome end,
  case last_outcome when 'started' then last_execution_id end, case last_outcome when 'failed' then last_error end
from engine_schedules
where last_at is not null and last_outcome is not null;

-- Until now all times of a schedule counted together; from now on each time counts its own attempts.
update engine_schedules set work_attempts = 0 where work_state <> 'running';
