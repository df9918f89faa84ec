-- The readers of the event log for the event triggers of an account, as entries of a queue: accounts take turns.
create table trigger_followers (
  account_id uuid primary key,
  -- The last event that the triggers have handled, and the last one that concerns them. Equal: nothing is open.
  position bigint not null,
  last_event bigint not null,
  -- Of the event after the position, the last trigger it was handled for, in the order of their ids; null: it was not begun.
  last_trigger uuid,
  work_state text not null default 'queued' check (work_state in ('queued', 'running', 'finished')),
  work_due_at timestamptz not null default now(),
  work_priority smallint not null default 0,
  work_worker uuid,
  work_fence bigint not null default 0,
  work_attempts integer not null default 0,
  check ((work_state = 'running') = (work_worker is not null))
);

create index trigger_followers_due on trigger_followers (work_priority desc, work_due_at) where work_state = 'queued';
create index trigger_followers_held on trigger_followers (work_worker) where work_state = 'running';
