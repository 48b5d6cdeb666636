/** Where GitHub sends people who have installed the App. */
export const INSTALLED_PATH = "/installed";
