-- How long earlier leases executed an execution, and when the current one resumed it. Both stay as they are here in the first lease,
-- so an older replica that knows neither column goes on as before.
alter table engine_executions
  add column active_ms bigint not null default 0,
  add column resumed_at timestamptz;

-- The shortest and the longest of the durations that `took` counts. Null: an older release counted them, or there are none.
alter table engine_history_flows add column least_ms double precision, add column most_ms double precision;
alter table engine_history_steps add column least_ms double precision, add column most_ms double precision;
alter table engine_history_models add column least_ms double precision, add column most_ms double precision;
