-- A disabled flow is not started; null: it is enabled. A release that does not know the columns ignores them.
alter table engine_flows
  add column disabled_at timestamptz,
  add column disabled_by uuid;
