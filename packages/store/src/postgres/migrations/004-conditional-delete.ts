/** Changes no table. The functions, created after the migrations, delete a record only if it has the expected value. */
export const conditionalDelete = '';
