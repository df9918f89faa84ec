-- Values of environment variables that administrators set at run time. A variable of the environment wins over its row.
create table kernel_settings (
  name text primary key check (length(name) between 1 and 100),
  -- the text the variable would have; of a secret only the encrypted text is stored
  value text check (length(value) <= 10000),
  encrypted_value text,
  updated_at timestamptz not null default now(),
  -- the id of the account
  updated_by text,
  check ((value is null) <> (encrypted_value is null))
);
