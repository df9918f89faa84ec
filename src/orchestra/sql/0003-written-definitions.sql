-- The definition as it was saved, with the order of its keys: the parameters of an agent are shown in their order, and jsonb does not
-- keep it. Queries look into the definition, readers get this one. Null: saved by an earlier release.
alter table orchestra_agent_versions add column written json;
