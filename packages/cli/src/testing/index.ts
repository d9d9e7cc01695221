export { ParleyProcess, type ParleyProcessOptions } from './parley-process.ts';
