-- Starts executions of a flow: for requests to a URL of its own, or for events of the platform.
create table triggers (
  id uuid primary key,
  account_id uuid not null,
  label text,
  kind text not null check (kind in ('webhook', 'event')),
  flow_id text not null,
  -- null: the current version
  flow_version integer,
  enabled boolean not null default true,
  -- SHA-256 of the token in the URL of a webhook
  token_hash bytea unique,
  -- verification, input, filter, respond, response, delivery_id; or events
  settings jsonb not null,
  -- the encrypted secret that verifies requests
  secret text,
  priority text not null default 'normal',
  last_at timestamptz,
  last_outcome text,
  last_error jsonb,
  last_execution_id uuid,
  times_started bigint not null default 0,
  times_ignored bigint not null default 0,
  times_refused bigint not null default 0,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((kind = 'webhook') = (token_hash is not null))
);

create index triggers_by_account on triggers (account_id, created_at, id);
create index triggers_by_flow on triggers (flow_id);
create index triggers_of_events on triggers (id) where kind = 'event' and enabled;

-- Requests and events that reached a trigger: replay protection, and the log for people. Kept for seven days.
create table trigger_deliveries (
  trigger_id uuid not null references triggers on delete cascade,
  delivery_id text not null,
  received_at timestamptz not null default now(),
  outcome text not null check (outcome in ('received', 'started', 'ignored', 'refused')),
  execution_id uuid,
  -- { code, message } of a refused one
  error jsonb,
  -- what the mapping reads, as JSON, to replay it; null when it is too large or no longer kept
  request text,
  primary key (trigger_id, delivery_id)
);

create index trigger_deliveries_by_time on trigger_deliveries (received_at);
create index trigger_deliveries_by_trigger on trigger_deliveries (trigger_id, received_at desc);

-- The last event of the log that event triggers have seen; null before the first run.
create table trigger_event_cursor (
  only_row boolean primary key default true check (only_row),
  position bigint
);
insert into trigger_event_cursor default values;
