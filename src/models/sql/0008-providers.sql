-- Model providers that operators added besides those of the environment. Their API keys are in model_provider_keys.
create table model_providers (
  name          text        primary key check (name ~ '^[a-z0-9][a-z0-9_-]{0,31}$'),
  kind          text        not null check (kind in ('openai', 'anthropic', 'gemini')),
  base_url      text        not null,
  -- Further request headers as an encrypted JSON object, because they may contain credentials.
  headers       text,
  -- The names of these headers, which are shown.
  header_names  text[]      not null default '{}',
  -- The models to use; null: all that the server lists.
  models        text[],
  default_model text,
  -- The price list to use; null: chosen by the address.
  price_list    text,
  enabled       boolean     not null,
  -- Changes with every change of the row.
  revision      uuid        not null default gen_random_uuid(),
  created_at    timestamptz not null default now(),
  created_by    text,
  updated_at    timestamptz not null default now(),
  updated_by    text
);
