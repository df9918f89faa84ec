-- Secrets and connections of accounts. A secret is one value that flows name as {{secrets.name}}; a connection has credentials and says how
-- a request sends them.
create table connections (
  id uuid primary key,
  account_id uuid not null references identity_users (id) on delete cascade,
  kind text not null check (kind in ('secret', 'bearer', 'basic', 'api_key', 'oauth2_client_credentials')),
  name text not null,
  -- the part that is no secret: username, header or parameter name, token_url, client_id, scopes, audience
  settings jsonb not null default '{}',
  -- the values as JSON, encrypted; the id is the associated data
  encrypted text not null,
  -- empty: a secret may be sent to any host
  allowed_hosts text[] not null default '{}',
  -- usable, but not readable, by the executions of all accounts
  shared boolean not null default false,
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- when an execution last used it, to the minute
  used_at timestamptz,
  check (kind = 'secret' and not shared or cardinality(allowed_hosts) > 0)
);

create unique index connections_by_name on connections (account_id, name);
create unique index connections_shared on connections (name) where shared;
