create table identity_users (
  id            uuid        primary key default gen_random_uuid(),
  username      text        not null check (char_length(username) between 1 and 64),
  -- The username as it is compared: normalised and in lower case, written by the code so that every server agrees.
  username_key  text        not null unique,
  email         text,
  display_name  text        not null,
  password_hash text,
  tier          text        not null default 'professional'
                            check (tier in ('basic', 'professional', 'enterprise', 'custom')),
  created_at    timestamptz not null default now(),
  last_login_at timestamptz,
  disabled_at   timestamptz
);

create table identity_roles (
  name            text        primary key check (name ~ '^[a-z][a-z0-9_]{0,63}$'),
  label           text        not null,
  permissions     text[]      not null default '{}',
  -- Every permission there is, and every one a later release adds.
  all_permissions boolean     not null default false,
  built_in        boolean     not null default false,
  created_at      timestamptz not null default now()
);

-- `authenticated` is held by every account and `anonymous` by everyone else; neither is ever listed here.
create table identity_user_roles (
  user_id uuid not null references identity_users (id) on delete cascade,
  role    text not null references identity_roles (name) on update cascade on delete cascade
               check (role not in ('authenticated', 'anonymous')),
  primary key (user_id, role)
);

create index identity_user_roles_by_role on identity_user_roles (role);

insert into identity_roles (name, label, permissions, all_permissions, built_in) values
  ('administrator', 'Administrator', '{}', true, true),
  ('author', 'Author', array[
    'create recipe tours', 'edit recipe tours', 'export recipe tours', 'view recipe tour analytics', 'run workflows'
  ], false, true),
  ('viewer', 'Viewer', array['view recipe tour analytics', 'view workflow analytics'], false, true),
  ('authenticated', 'Signed in', array['access content'], false, true),
  ('anonymous', 'Not signed in', array['access content'], false, true);

create table identity_sessions (
  -- SHA-256 of the cookie's value: whoever reads this table cannot sign in with what it holds.
  id           bytea       primary key check (octet_length(id) = 32),
  user_id      uuid        not null references identity_users (id) on delete cascade,
  csrf_secret  bytea       not null check (octet_length(csrf_secret) = 32),
  created_at   timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at   timestamptz not null,
  ip           text        not null,
  user_agent   text
);

create index identity_sessions_by_user on identity_sessions (user_id);
create index identity_sessions_by_expiry on identity_sessions (expires_at);

-- One row per address, username, or pair of both that lately failed to sign in.
create table identity_sign_in_limits (
  key       bytea       primary key,
  attempts  integer     not null,
  ends_at   timestamptz not null,
  strikes   integer     not null default 0,
  forget_at timestamptz not null
);

create index identity_sign_in_limits_by_age on identity_sign_in_limits (forget_at);
