import type { Executor } from '@holdword/runtime';

export const PAPERS = [
  { title: 'Quantum Error Correction Advances', year: 2025, authors: 'Chen et al.' },
  { title: 'Topological Quantum Computing Survey', year: 2024, authors: 'Nakamura et al.' },
  { title: 'Fault-Tolerant Logical Qubits', year: 2024, authors: 'Wang et al.' },
];

export const ABSTRACT = [
  'Quantum computing has seen rapid advances in error correction.',
  'Recent work demonstrates fault-tolerant logical qubits at scale.',
  'This paper surveys progress in quantum error correction from 2023-2025.',
  'We review surface codes, color codes, and novel hybrid approaches.',
  'Key results include a 10x reduction in logical error rates.',
  'These improvements bring practical quantum computing closer to reality.',
  'We also discuss remaining challenges in qubit connectivity.',
  'Finally, we outline a roadmap for achieving fault-tolerant quantum computation.',
].join('\n');

export const SUMMARY =
  'I found three recent papers on quantum computing and retrieved the abstract for the most recent one.';

/** An agent that always finds the same papers. */
export const researchBot: Executor = {
  card: {
    name: 'Research Bot',
    description: 'Find and summarize research papers',
    skills: [
      {
        id: 'search',
        name: 'Search Papers',
        description: 'Search for papers by topic, author, or keyword',
        tags: ['papers'],
      },
      {
        id: 'summarize',
        name: 'Summarize Paper',
        description: 'Generate a summary of a specific paper',
        tags: ['papers'],
      },
    ],
  },
  async execute(_turn, sink) {
    await sink.artifact({
      artifactId: 'art-789',
      name: 'Search Results',
      description: 'Search results for quantum computing papers',
      parts: [{ data: PAPERS }],
    });
    await sink.artifact({
      artifactId: 'art-790',
      name: 'Abstract',
      description: "Abstract of 'Quantum Error Correction Advances' by Chen et al.",
      parts: ABSTRACT,
    });
    await sink.complete(SUMMARY);
  },
};

export const weatherAgent: Executor = {
  card: { name: 'Weather Agent', description: 'Get weather forecasts for any location' },
  execute: (_turn, sink) => sink.complete('It will rain.'),
};
