-- Limits of a key besides those of its account: allowed models, budgets and rates. Null: none. The program validates the fields.
alter table identity_api_keys add column limits jsonb check (jsonb_typeof(limits) = 'object');

-- Replicas cache the limits with the account of a key.
create trigger identity_api_keys_limited
  after update of limits on identity_api_keys
  for each statement execute function identity_tell_change('principals');
