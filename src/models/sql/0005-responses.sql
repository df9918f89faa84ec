-- The responses of the Responses API, which later requests continue by their id. Only their account reads them.
create table model_responses (
  account_id  text        not null,
  -- `resp_` and the id of the call.
  id          text        not null,
  -- The response that this one continues. It may be deleted before this one.
  previous_id text,
  model       text        not null,
  -- The response object without its output. Texts of models may contain characters that jsonb does not accept.
  response    json        not null,
  -- The input items of the request, without those of the previous responses.
  input       json        not null,
  output      json        not null,
  -- The ids of the output items, to which later requests may refer.
  output_ids  text[]      not null,
  -- The size of the three texts.
  bytes       integer     not null check (bytes >= 0),
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  primary key (account_id, id)
);

-- The oldest responses of an account are deleted when it has too many.
create index model_responses_by_age on model_responses (account_id, created_at, id) include (bytes);
create index model_responses_by_expiry on model_responses (expires_at);
create index model_responses_by_output on model_responses using gin (output_ids);
