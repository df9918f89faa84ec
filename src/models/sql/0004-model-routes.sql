-- A name that callers use in place of a model. Its definition is the active one of its versions.
create table model_routes (
  name           text        primary key,
  active_version integer     not null check (active_version > 0),
  updated_at     timestamptz not null default now(),
  updated_by     text
);

-- Every definition that a route ever had. A version is never changed.
create table model_route_versions (
  name       text        not null references model_routes (name) on delete cascade,
  version    integer     not null check (version > 0),
  definition jsonb       not null,
  created_at timestamptz not null default now(),
  created_by text,
  primary key (name, version)
);
