import type { Executor } from '@holdword/runtime';

const dice: Executor = {
  card: { name: 'Dice', description: 'Rolls dice. Ask for 2d6.' },

  async execute(turn, sink) {
    const text = turn.message.parts.map((part) => part.text ?? '').join(' ');
    const request = /(\d{1,2})d(\d{1,3})/.exec(text);
    if (request === null) return sink.askInput('Which dice? For example 2d6.');

    const [count, sides] = [Number(request[1]), Number(request[2])];
    await sink.status(`rolling ${count} dice with ${sides} sides`);
    let sum = 0;
    for (let roll = 1; roll <= count; roll++) {
      const value = 1 + Math.floor(Math.random() * sides);
      sum += value;
      await sink.artifact({
        artifactId: 'rolls',
        parts: `${value} `,
        append: roll > 1,
        lastChunk: roll === count,
      });
    }
    await sink.complete(`${sum} in total`);
  },
};

export default dice;
