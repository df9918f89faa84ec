-- Agents, and every version anybody ever saved. A version never changes: a step may name one.
create table orchestra_agents (
  id text primary key,
  owner_id uuid,
  built_in boolean not null default false,
  status text not null default 'active' check (status in ('active', 'inactive', 'maintenance')),
  current_version integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);

create table orchestra_agent_versions (
  agent_id text not null references orchestra_agents (id),
  version integer not null,
  definition jsonb not null,
  created_by uuid,
  -- what changed, in the words of whoever saved it
  note text,
  created_at timestamptz not null default now(),
  primary key (agent_id, version)
);

-- What people think of an agent: one opinion each, which they may change.
create table orchestra_agent_ratings (
  agent_id text not null references orchestra_agents (id),
  account_id uuid not null,
  rating smallint not null check (rating between 1 and 5),
  comment text,
  execution_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (agent_id, account_id)
);
