-- What went wrong and what was planned, told by the prober or by people.
create table status_incidents (
  id uuid primary key,
  kind text not null check (kind in ('incident', 'maintenance')),
  title text not null,
  impact text not null,
  services text[] not null,
  -- of maintenance as it was last written down; whoever reads it looks at the clock, too
  state text not null,
  opened_by text not null check (opened_by in ('prober', 'account')),
  account_id uuid,
  opened_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  closed_at timestamptz,
  -- the plan of maintenance
  starts_at timestamptz,
  ends_at timestamptz,
  check (
    case kind
      when 'incident' then
        state in ('investigating', 'identified', 'monitoring', 'resolved')
        and impact in ('none', 'degraded', 'down')
        and starts_at is null and ends_at is null
      else
        state in ('scheduled', 'under_way', 'done')
        and impact in ('none', 'maintenance')
        and starts_at < ends_at
    end
  ),
  check ((state in ('resolved', 'done')) = (closed_at is not null))
);

create index status_incidents_open on status_incidents (id) where closed_at is null;
create index status_incidents_closed on status_incidents (closed_at) where closed_at is not null;

-- Everything that was said about one.
create table status_incident_updates (
  id bigint generated always as identity primary key,
  incident_id uuid not null references status_incidents (id) on delete cascade,
  state text not null,
  impact text not null,
  message text not null,
  written_by text not null check (written_by in ('prober', 'account')),
  account_id uuid,
  created_at timestamptz not null default now()
);

create index status_incident_updates_of on status_incident_updates (incident_id, id);

-- A service that is not well, from when it was told of until it is well again: one row, so one incident.
create table status_outages (
  service text primary key,
  -- null: somebody removed it
  incident_id uuid references status_incidents (id) on delete set null,
  -- how the service was when that was last told
  told text not null check (told in ('degraded', 'offline')),
  began_at timestamptz not null default now()
);

create index status_outages_by_incident on status_outages (incident_id);

-- What the feed is known by, wherever it is read.
create table status_feed (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid(),
  created_at timestamptz not null default now()
);

insert into status_feed default values;
