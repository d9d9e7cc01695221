import type { Driver, DriverTarget } from './driver.ts';
import { openDriver, type DriverChoice } from './open-driver.ts';

/** The clients of one agent, each opened on first use. */
export interface Drivers {
  open: (choice: DriverChoice, headers?: Record<string, string>) => Promise<Driver>;
  close: () => Promise<void>;
}

export function openDrivers(target: DriverTarget): Drivers {
  const drivers = new Map<string, Promise<Driver>>();
  return {
    open: ({ binding, version, client }, headers = {}) => {
      const key = JSON.stringify([binding, version, client, headers]);
      const driver = drivers.get(key) ?? openDriver({ ...target, headers }, { binding, version, client });
      drivers.set(key, driver);
      return driver;
    },
    close: async () => {
      for (const driver of await Promise.all(drivers.values())) {
        driver.close();
      }
    },
  };
}
