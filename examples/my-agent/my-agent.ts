import type { Executor } from '@holdword/runtime';

const dice: Executor = {
  card: { name: 'Dice', description: 'Rolls dice. Ask for 2d6.' },

  async execute(turn, sink) {
    const text = turn.message.parts.map((part) => part.text ?? '').join(' ');
    const wish = /(\d{1,2})d(\d{1,3})/.exec(text);
    if (wish === null) return sink.askInput('Which dice? For example 2d6.');

    const [count, sides] = [Number(wish[1]), Number(wish[2])];
    await sink.status(`rolling ${count} dice with ${sides} sides`);
    let sum = 0;
    for (let roll = 1; roll <= count; roll++) {
      const eyes = 1 + Math.floor(Math.random() * sides);
      sum += eyes;
      await sink.artifact({
        artifactId: 'rolls',
        parts: `${eyes} `,
        append: roll > 1,
        lastChunk: roll === count,
      });
    }
    await sink.complete(`${sum} in all`);
  },
};

export default dice;
