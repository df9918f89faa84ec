-- A name a session can be called by: the key of the table is made from the cookie and stays inside.
alter table identity_sessions add column public_id uuid not null unique default gen_random_uuid();

-- Secrets of this installation that every replica shares and nobody has to set.
create table identity_secrets (
  name  text  primary key,
  value bytea not null
);

-- PostgreSQL draws these from the same strong source as any key.
insert into identity_secrets (name, value)
values ('anonymous_csrf', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

-- The keys access tokens are signed with. The newest whose time has come signs; all that are listed verify.
create table identity_signing_keys (
  kid            text        primary key,
  private_jwk    jsonb       not null,
  created_at     timestamptz not null default now(),
  signs_from     timestamptz not null default now(),
  -- Set when another key takes over: the last token it signed has expired by then.
  verifies_until timestamptz
);

create table identity_api_keys (
  id           uuid        primary key default gen_random_uuid(),
  user_id      uuid        not null references identity_users (id) on delete cascade,
  name         text        not null check (char_length(name) between 1 and 100),
  -- The first characters of the key, for a person to tell it by.
  prefix       text        not null,
  key_hash     bytea       not null unique check (octet_length(key_hash) = 32),
  -- Null: whatever its owner may do.
  scopes       text[],
  -- Made from TUTTI_API_KEY at the start.
  seeded       boolean     not null default false,
  created_at   timestamptz not null default now(),
  expires_at   timestamptz,
  last_used_at timestamptz,
  revoked_at   timestamptz
);

create index identity_api_keys_by_user on identity_api_keys (user_id);

-- One sign-in for tokens, and every refresh token that came from it.
create table identity_token_families (
  id           uuid        primary key default gen_random_uuid(),
  user_id      uuid        not null references identity_users (id) on delete cascade,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at   timestamptz not null,
  ip           text        not null,
  user_agent   text
);

create index identity_token_families_by_user on identity_token_families (user_id);
create index identity_token_families_by_expiry on identity_token_families (expires_at);

create table identity_refresh_tokens (
  token_hash bytea       primary key check (octet_length(token_hash) = 32),
  family_id  uuid        not null references identity_token_families (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at    timestamptz
);

create index identity_refresh_tokens_by_family on identity_refresh_tokens (family_id);
create index identity_refresh_tokens_by_expiry on identity_refresh_tokens (expires_at);

-- Families, grants and single tokens whose access tokens are refused although they have not expired.
create table identity_revocations (
  id        text        primary key,
  forget_at timestamptz not null
);

create index identity_revocations_by_age on identity_revocations (forget_at);

create table identity_oauth_clients (
  client_id     text        primary key,
  -- The account that registered it. A client that acts without a user acts for this account.
  user_id       uuid        not null references identity_users (id) on delete cascade,
  name          text        not null check (char_length(name) between 1 and 100),
  -- Null: a public client, which cannot keep a secret.
  secret_hash   bytea       check (octet_length(secret_hash) = 32),
  redirect_uris text[]      not null default '{}',
  scopes        text[]      not null,
  grant_types   text[]      not null,
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz
);

create index identity_oauth_clients_by_user on identity_oauth_clients (user_id);

-- What the authorization server remembers: codes, refresh tokens, consents, interactions, its own sessions.
create table identity_oauth_records (
  model       text        not null,
  -- SHA-256 of the value the client or the browser holds.
  id          bytea       not null check (octet_length(id) = 32),
  payload     jsonb       not null,
  grant_id    text,
  uid         text,
  user_id     uuid        references identity_users (id) on delete cascade,
  client_id   text        references identity_oauth_clients (client_id) on delete cascade,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz,
  consumed_at timestamptz,
  primary key (model, id)
);

create index identity_oauth_records_by_grant on identity_oauth_records (grant_id);
create index identity_oauth_records_by_user on identity_oauth_records (user_id);
create index identity_oauth_records_by_client on identity_oauth_records (client_id);
create index identity_oauth_records_by_expiry on identity_oauth_records (expires_at);
create unique index identity_oauth_records_by_uid on identity_oauth_records (model, uid) where uid is not null;

-- Replicas remember who a credential belongs to. Whoever changes what that rests on, by whatever way, tells them here.
create function identity_tell_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('identity_changed', tg_argv[0]);
  return null;
end
$$;

create trigger identity_users_changed
  after update of username, password_hash, tier, disabled_at on identity_users
  for each statement execute function identity_tell_change('principals');
create trigger identity_users_deleted after delete on identity_users
  for each statement execute function identity_tell_change('principals');
create trigger identity_roles_changed after update or delete on identity_roles
  for each statement execute function identity_tell_change('principals');
create trigger identity_user_roles_changed after insert or update or delete on identity_user_roles
  for each statement execute function identity_tell_change('principals');
create trigger identity_api_keys_changed
  after update of scopes, expires_at, revoked_at on identity_api_keys
  for each statement execute function identity_tell_change('principals');
create trigger identity_api_keys_deleted after delete on identity_api_keys
  for each statement execute function identity_tell_change('principals');
create trigger identity_oauth_clients_changed
  after update of user_id, secret_hash, redirect_uris, scopes, grant_types on identity_oauth_clients
  for each statement execute function identity_tell_change('principals');
create trigger identity_oauth_clients_deleted after delete on identity_oauth_clients
  for each statement execute function identity_tell_change('principals');
create trigger identity_signing_keys_changed after insert or update or delete on identity_signing_keys
  for each statement execute function identity_tell_change('signing_keys');

create function identity_tell_revocation() returns trigger language plpgsql as $$
begin
  perform pg_notify('identity_revoked', new.id);
  return null;
end
$$;

create trigger identity_revocations_added after insert on identity_revocations
  for each row execute function identity_tell_revocation();
