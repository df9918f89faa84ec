-- Servers of the Model Context Protocol that somebody wants to be watched.
create table status_mcp_servers (
  id               uuid        primary key default gen_random_uuid(),
  name             text        not null,
  -- `{"type": "http", "url", "headers": [names]}` or `{"type": "stdio", "command", "args", "env": [names]}`.
  transport        jsonb       not null,
  -- The values of its headers or variables, sealed; null when it has none.
  secrets          text,
  enabled          boolean     not null,
  -- Grows with each change. What was found out about the one before is not kept.
  revision         integer     not null default 1,
  state            text        not null default 'unknown'
    check (state in ('unknown', 'online', 'degraded', 'offline')),
  took_ms          integer     check (took_ms >= 0),
  probed_at        timestamptz,
  -- When it last answered.
  seen_at          timestamptz,
  error            text,
  -- The rest is what it last said of itself.
  server_name      text,
  server_version   text,
  protocol_version text,
  tools            jsonb       not null default '[]',
  tools_total      integer     not null default 0,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now()
);

create unique index status_mcp_servers_by_name on status_mcp_servers (lower(name));
