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

-- expands: older programs delay no event and read none of these columns.
alter table triggers
  -- When its delayed events are handled; null without any.
  add column delayed_until timestamptz;

create index triggers_delayed on triggers (account_id, delayed_until) where delayed_until is not null;

alter table trigger_deliveries
  -- How often handling a delayed event failed.
  add column attempts smallint not null default 0,
  drop constraint trigger_deliveries_outcome_check,
  add constraint trigger_deliveries_outcome_check
    check (outcome in ('received', 'delayed', 'started', 'signalled', 'ignored', 'refused'));

create index trigger_deliveries_delayed on trigger_deliveries (trigger_id, received_at) where outcome = 'delayed';
