/** The tables of agents, and of those who watch. */
export const orchestraMigrations = { owner: 'orchestra', folder: new URL('./sql/', import.meta.url) }
