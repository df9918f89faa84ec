/** A text to try the text analysis with: headings, sentences of all lengths, a mood. */
export const sampleText = `# The string quartet

A string quartet is a group of four players: two violins, a viola and a cello. It is also the name of the music that is written for them. Joseph Haydn wrote sixty-eight quartets, and many people call him the father of the form.

The four players have no conductor. They listen to each other, breathe together and decide everything by themselves. This makes rehearsals long, sometimes loud, and wonderfully rewarding.

A quartet is hard to write, because nothing can hide. Every note is heard, and a weak idea stays weak in every voice.
`
