-- Lists are entered at a sort key: nobody needs the latest changes of their order any more.
DROP TRIGGER report_move_came;
DROP TRIGGER report_move_went;
DROP TRIGGER report_move_changed;
DROP TRIGGER move_came;
DROP TABLE moves;
