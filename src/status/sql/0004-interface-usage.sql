-- What the interface told of one day. A writer holds the row of the day, so that its bounds are kept exactly.
create table status_usage_days (
  day date primary key,
  events bigint not null default 0,
  -- different ones that are counted by name, and submissions that are kept as they came
  combinations integer not null default 0,
  kept integer not null default 0
);

-- How often each thing happened on a day.
create table status_usage (
  day date not null references status_usage_days (day) on delete cascade,
  event text not null,
  component text not null,
  theme text not null,
  version text not null,
  browser text not null,
  count bigint not null,
  primary key (day, event, component, theme, version, browser)
);

-- The last of them as they came.
create table status_usage_recent (
  id uuid primary key,
  received_at timestamptz not null default now(),
  occurred_at timestamptz not null,
  event text not null,
  component text not null,
  theme text,
  version text,
  browser text not null,
  user_agent text not null,
  -- what else was in metadata
  more jsonb not null default '{}'
);

create index status_usage_recent_received on status_usage_recent (received_at);
