-- A trigger may send an event to executions that wait for it, in place of starting a flow.
alter table triggers
  alter column flow_id drop not null,
  add column times_signalled bigint not null default 0,
  add constraint triggers_action_check check ((flow_id is null) = (settings ? 'signal'));

alter table trigger_deliveries
  drop constraint trigger_deliveries_outcome_check,
  add constraint trigger_deliveries_outcome_check check (outcome in ('received', 'started', 'signalled', 'ignored', 'refused'));
