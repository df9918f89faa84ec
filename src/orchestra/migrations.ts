/** The tables of agents and of the presence on the live stream. */
export const orchestraMigrations = { owner: 'orchestra', folder: new URL('./sql/', import.meta.url) }
