-- The full context of a subject, once for each webhook that wants it and not with each of hundreds of deliveries. It goes with its lane,
-- which stays while there are deliveries.
create table webhook_contexts (
  webhook_id uuid not null,
  subject text not null,
  -- what is added to the data of a delivery: { full_context }, or that it was left out
  fields jsonb not null,
  primary key (webhook_id, subject),
  foreign key (webhook_id, subject) references webhook_lanes (webhook_id, subject) on delete cascade
);

alter table webhook_deliveries add column with_context boolean not null default false;
