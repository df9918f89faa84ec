/**
 * Most executions that share a statement. Many enough that its own cost is hardly felt; few enough that of the fifty a process
 * runs, some are stored while others go on: fifty that wait for one commit leave the processor to the database and back again.
 */
export const mostTogether = 32
