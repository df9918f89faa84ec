-- What operators have changed about model nodes. Every process of the platform follows these tables; the health of nodes is not stored.
create table cluster_nodes (
  id text primary key,
  url text not null,
  -- an operator added the node: it exists without being named by a setting or discovery
  added boolean not null default false,
  -- an operator removed the node: it stays away even if a setting or discovery names it
  removed boolean not null default false,
  -- null: the weight of the node's source
  weight integer check (weight between 1 and 1000),
  draining boolean not null default false,
  changed_by text,
  changed_at timestamptz not null default now(),
  check (not (added and removed))
);

-- At most one row: the strategy in place of CLUSTER_STRATEGY.
create table cluster_strategy (
  single boolean primary key default true check (single),
  strategy text not null,
  changed_by text,
  changed_at timestamptz not null default now()
);
