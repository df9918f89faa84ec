-- Saved inputs of a flow with recorded answers of models and services, to check later versions of it without calling them.
create table engine_flow_tests (
  flow_id text not null,
  name text not null,
  -- { context, memory, options }
  input jsonb not null,
  -- JSON, as text like outputs: what the steps with effects answered, by step id
  recorded text not null,
  -- conditions over status, result, error and steps
  expect jsonb not null default '[]',
  -- the version that was recorded; null: the recording was given
  recorded_version integer,
  created_by uuid,
  updated_at timestamptz not null default now(),
  primary key (flow_id, name)
);
