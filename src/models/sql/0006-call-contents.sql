-- The trace of a call, for the tracing system of the operator.
alter table model_calls add column trace_id text;

-- Prompts and answers of calls, for installations that record them: redacted, of bounded size, kept for a short time.
create table model_call_contents (
  -- The id of the call in model_calls. Version 7: the order of ids is the order of time.
  call_id    uuid        primary key,
  account_id text        not null,
  -- Messages, tools and parameters; for embeddings the inputs.
  request    jsonb       not null,
  -- Texts, reasoning and tool calls of the response; null where none arrived.
  response   jsonb,
  -- A text was shortened or a part left out to keep the size limits.
  truncated  boolean     not null,
  created_at timestamptz not null default now()
);
