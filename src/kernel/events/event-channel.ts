/** Where every append knocks. The message is empty: whoever hears it reads the log. */
export const eventChannel = 'kernel_events'
