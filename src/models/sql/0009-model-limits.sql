-- Limits of operators on the calls of a model, or of all models of a provider together ('*'). Null: no such limit.
create table model_limits (
  provider            text        not null,
  model               text        not null,
  max_concurrent      integer     check (max_concurrent > 0),
  requests_per_minute integer     check (requests_per_minute > 0),
  tokens_per_minute   integer     check (tokens_per_minute > 0),
  updated_at          timestamptz not null default now(),
  updated_by          text,
  primary key (provider, model),
  check (num_nonnulls(max_concurrent, requests_per_minute, tokens_per_minute) > 0)
);
