import type { Executor, Turn } from './executor.ts';

/** An executor that runs turns in another way. The rest is that of `executor`, whose methods keep their own `this`. */
export function wrapExecutor(executor: Executor, turns: Pick<Executor, 'execute' | 'resume'>): Executor {
  const { card, defaultContextId, withoutEffects } = executor;
  return {
    ...(card && { card }),
    ...(defaultContextId !== undefined && { defaultContextId }),
    ...(withoutEffects !== undefined && { withoutEffects }),
    ...(executor.answersDirectly && {
      answersDirectly: (turn: Turn) => executor.answersDirectly?.(turn) === true,
    }),
    ...turns,
    release: (taskId) => executor.release?.(taskId),
    close: async () => executor.close?.(),
  };
}
