-- The definition as it was saved, with the order of its keys: a form shows its fields in the order of `properties`, and jsonb does not
-- keep it. Queries look into the definition, readers get this one. Null: saved by an earlier release.
alter table engine_flow_versions add column written json;
