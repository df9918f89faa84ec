-- expands: older programs delay no event
alter table trigger_deliveries
  -- How often handling a delayed event failed.
  add column attempts smallint not null default 0,
  drop constraint trigger_deliveries_outcome_check,
  -- Not validated: the stored rows fulfil the former, narrower one.
  add constraint trigger_deliveries_outcome_check
    check (outcome in ('received', 'delayed', 'started', 'signalled', 'ignored', 'refused')) not valid;

create index trigger_deliveries_delayed on trigger_deliveries (trigger_id, received_at) where outcome = 'delayed';
